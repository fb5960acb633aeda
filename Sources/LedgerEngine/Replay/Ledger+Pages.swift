internal import LMDB
public import ReactionModel

extension Ledger {
  /// Looks at every page of the store that is in use, without trusting any, and says what is wrong.
  ///
  /// A replay does so first, and reads nothing else if there is a finding: from damaged pages the
  /// store answers wrongly, or ends the process. Others may write meanwhile. Complexity: O(pages);
  /// memory: a bit for each page.
  ///
  /// - Parameters:
  ///   - findingLimit: The most findings that are given.
  ///   - progress: Called about every 10,000 pages, on the calling thread; what it throws ends it.
  /// - Returns: Findings of rule ``ReactionModel/Rule/storage``.
  /// - Throws: ``LedgerError`` if the file cannot be read at all; what `progress` throws.
  public func pageFindings(
    findingLimit: Int = 100,
    progress: (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> [Finding] {
    var failure: LedgerError?
    let faults: [PageFault]
    do throws(LMDBError) {
      faults = try environment.pageFaults(limit: findingLimit) { done, total in
        do throws(LedgerError) {
          try progress(ReplayProgress(stage: .pages, doneCount: done, totalCount: total))
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw LedgerError(error)
    }
    if let failure { throw failure }
    return faults.map { fault in
      let database = fault.database.isEmpty ? "the names" : fault.database
      return Finding(
        .storage, place: "data.mdb page \(fault.page), \(database)", expected: fault.expected,
        found: fault.found)
    }
  }
}
