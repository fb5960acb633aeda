// swift-tools-version: 6.3
import PackageDescription

// A program of somebody else's that keeps its reactions in a ledger: it sees only public API.
let package = Package(
  name: "embedding-sample",
  dependencies: [.package(name: "reaction-ledger", path: "../..")],
  targets: [
    .executableTarget(
      name: "embedding-sample",
      dependencies: [
        .product(name: "LedgerEngine", package: "reaction-ledger"),
        .product(name: "ReactionModel", package: "reaction-ledger"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
