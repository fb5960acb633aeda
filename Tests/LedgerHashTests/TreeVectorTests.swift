import LedgerHash
import Testing

@Suite("Merkle tree: known answers (RFC 6962)")
struct TreeVectorTests {
  /// The leaves that tests of Certificate Transparency share.
  static let entries: [[UInt8]] = [
    [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
    Array(0x50...0x57), Array(0x60...0x6f),
  ]

  static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  let sha256 = SHA256()

  @Test("The roots of sizes 0 to 8")
  func knownRoots() {
    var range = CompactRange()
    #expect(range.root(using: sha256).description == Self.roots[0])
    for (index, entry) in Self.entries.enumerated() {
      range.append(sha256.leaf(entry.span), using: sha256)
      #expect(range.root(using: sha256).description == Self.roots[index + 1])
    }
  }

  @Test("Inclusion of index 5 in size 7")
  func inclusion() throws {
    let plan = try #require(ProofPlan(inclusionOf: 5, size: 7))
    #expect(
      hashes(plan, size: 7) == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ])
  }

  @Test("Consistency of sizes 3 and 7")
  func consistencyOfThreeAndSeven() throws {
    let plan = try #require(ProofPlan(consistencyFrom: 3, to: 7))
    #expect(
      hashes(plan, size: 7) == [
        "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7",
        "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "837dbb152e9b079010717e84e865da4ebc0fa198a806d59d31bf15accef22d0e",
      ])
  }

  @Test("Consistency of sizes 4 and 8")
  func consistencyOfFourAndEight() throws {
    let plan = try #require(ProofPlan(consistencyFrom: 4, to: 8))
    #expect(
      hashes(plan, size: 8) == ["6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"])
  }

  private func hashes(_ plan: ProofPlan, size: Int) -> [String]? {
    var stream = ProofStream(plan, using: sha256)
    for entry in Self.entries.prefix(size) { stream.append(sha256.leaf(entry.span)) }
    return stream.hashes?.map(\.description)
  }
}
