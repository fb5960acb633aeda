// swift-tools-version: 6.3
import PackageDescription

let safe: [SwiftSetting] = [
  .strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// For the modules that return spans and other values with a lifetime.
let spans = safe + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
  name: "reaction-ledger",
  products: [
    .library(name: "LedgerEngine", targets: ["LedgerEngine"]),
    .library(name: "LedgerInterchange", targets: ["LedgerInterchange"]),
    .library(name: "ReactionClient", targets: ["ReactionClient"]),
    .library(name: "ReactionModel", targets: ["ReactionModel"]),
    .library(name: "LedgerProofs", targets: ["LedgerProofs", "LedgerHash"]),
    .library(name: "LMDB", targets: ["LMDB"]),
    .executable(name: "reaction-ledger", targets: ["reaction-ledger"]),
    .executable(name: "reaction-bench", targets: ["reaction-bench"]),
  ],
  traits: [
    .trait(name: "SQLitePeer", description: "Lets the benchmark compare with SQLite."),
    .trait(name: "RocksDBPeer", description: "Lets the benchmark compare with RocksDB."),
  ],
  targets: [
    .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: spans),
    .target(name: "LedgerHash", dependencies: ["CCrypto"], swiftSettings: safe),
    .target(name: "ReactionModel", swiftSettings: spans),
    .target(name: "ReactionCodec", dependencies: ["ReactionModel"], swiftSettings: spans),
    .target(
      name: "LedgerEngine",
      dependencies: ["ReactionModel", "ReactionCodec", "LedgerHash", "LMDB"],
      swiftSettings: spans),
    .target(
      name: "LedgerInterchange", dependencies: ["ReactionModel", "LedgerProofs"],
      swiftSettings: safe),
    .target(
      name: "ReactionClient", dependencies: ["ReactionModel", "LedgerEngine", "LMDB"],
      swiftSettings: safe),
    .target(
      name: "LedgerProofs",
      dependencies: ["ReactionModel", "ReactionCodec", "LedgerHash", "CCrypto"],
      swiftSettings: safe),
    .executableTarget(
      name: "reaction-ledger",
      dependencies: [
        "ReactionModel", "LedgerEngine", "LedgerInterchange", "LedgerProofs", "LedgerHash", "LMDB",
      ],
      path: "tools/reaction-ledger", swiftSettings: safe),
    .executableTarget(
      name: "ledger-torture", dependencies: ["ReactionModel", "LedgerEngine", "LMDB"],
      path: "tools/torture-harness/ledger-torture", swiftSettings: safe),
    .target(name: "CProcessCounters", path: "Benchmarks/CProcessCounters"),
    .systemLibrary(
      name: "CSQLite", path: "Benchmarks/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CRocksDB", path: "Benchmarks/CRocksDB", providers: [.apt(["librocksdb-dev"])]),
    .target(
      name: "BenchmarkSuite",
      dependencies: [
        "ReactionModel", "ReactionCodec", "LedgerHash", "LedgerEngine", "LedgerInterchange", "LMDB",
        .target(name: "CSQLite", condition: .when(traits: ["SQLitePeer"])),
        .target(name: "CRocksDB", condition: .when(traits: ["RocksDBPeer"])),
      ],
      path: "Benchmarks/BenchmarkSuite", swiftSettings: safe),
    .executableTarget(
      name: "reaction-bench", dependencies: ["BenchmarkSuite", "CProcessCounters"],
      path: "Benchmarks/reaction-bench", swiftSettings: safe),
    .target(
      name: "LedgerTestSupport", dependencies: ["ReactionModel"],
      path: "Tests/LedgerTestSupport", swiftSettings: safe),
    .testTarget(
      name: "LMDBTests", dependencies: ["LMDB", "CLMDB", "LedgerTestSupport"],
      exclude: ["Misuse"],
      swiftSettings: safe),
    .testTarget(
      name: "ReactionModelTests", dependencies: ["ReactionModel", "LedgerTestSupport"],
      swiftSettings: safe),
    .testTarget(name: "LedgerHashTests", dependencies: ["LedgerHash"], swiftSettings: safe),
    .testTarget(
      name: "LedgerProofsTests",
      dependencies: [
        "LedgerProofs", "LedgerHash", "ReactionModel", "ReactionCodec", "LedgerTestSupport",
      ],
      swiftSettings: safe),
    .testTarget(
      name: "ReactionCodecTests",
      dependencies: ["ReactionModel", "ReactionCodec", "LedgerHash", "LedgerTestSupport"],
      swiftSettings: safe),
    .testTarget(
      name: "LedgerEngineTests",
      dependencies: [
        "LedgerEngine", "ReactionModel", "ReactionCodec", "LedgerHash", "LMDB",
        "LedgerTestSupport",
      ],
      swiftSettings: safe),
    .testTarget(
      name: "LedgerInterchangeTests",
      dependencies: [
        "LedgerInterchange", "LedgerEngine", "LedgerProofs", "LedgerHash", "ReactionModel",
        "LedgerTestSupport",
      ],
      swiftSettings: safe),
    .testTarget(
      name: "ReactionClientTests",
      dependencies: [
        "ReactionClient", "LedgerEngine", "ReactionModel", "LMDB", "LedgerTestSupport",
      ],
      swiftSettings: safe),
    .testTarget(
      name: "ReactionLedgerTests",
      dependencies: [
        "reaction-ledger", "LedgerEngine", "LedgerInterchange", "LedgerProofs", "LedgerHash",
        "ReactionModel", "LMDB", "LedgerTestSupport",
      ],
      swiftSettings: safe),
    .testTarget(
      name: "BenchmarkSuiteTests",
      dependencies: [
        "BenchmarkSuite", "LedgerEngine", "LedgerInterchange", "ReactionModel", "LedgerTestSupport",
      ],
      swiftSettings: safe),
  ],
  swiftLanguageModes: [.v6]
)
