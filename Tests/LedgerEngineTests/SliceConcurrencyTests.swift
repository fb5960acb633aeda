import Glibc
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Replays in slices and jobs while others write, and such that are ended.
@Suite struct SliceConcurrencyTests {
  @Test("While a writer appends, adds and removes, erases and rebuilds: no findings")
  func whileOthersWrite() throws {
    let test = try TestLedger()
    try test.ledger.indexByUser(true)
    var generator = SeededGenerator(seed: 5)
    _ = try test.ledger.append(SliceSample.commands(600, &generator))
    let (ledger, isDone) = (test.ledger, TestLock(false))
    let writer = TestThread {
      var generator = SeededGenerator(seed: 6)
      var round = 0
      do {
        while !isDone.withLock({ $0 }) {
          _ = try ledger.append(Array(SliceSample.commands(30, &generator).shuffled().prefix(40)))
          round += 1
          if round % 20 == 0 {
            _ = try ledger.append(.erase(try UserID("u\(round / 20 % 40 + 1)")))
          }
          if round % 50 == 0 { _ = try ledger.rebuild() }
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    defer {
      isDone.withLock { $0 = true }
      writer.join()
    }
    var last: UInt64 = 0
    for index in 0..<24 {
      var settings = ReplaySettings()
      settings.sliceCount = [1, 2, 5][index % 3]
      settings.jobCount = [1, 2][index / 3 % 2]
      settings.chunkCount = [5, 100][index % 2]
      let report = try ledger.replay(settings)
      #expect(report.findings == [], "replay \(index)")
      #expect(report.head >= last)
      last = report.head
    }
  }

  @Test("What progress throws ends all jobs; it is called on the calling thread, and rises")
  func cancelled() throws {
    let sample = try SliceSample(seed: 4)
    let ledger = try Ledger.open(at: sample.test.path)
    defer { ledger.close() }
    var settings = ReplaySettings()
    (settings.sliceCount, settings.jobCount, settings.chunkCount) = (6, 3, 40)
    var done: [ReplayProgress.Stage: Int] = [:]
    var callCount = 0
    let thread = pthread_self()
    let report = try ledger.replay(settings) { (progress) throws(LedgerError) in
      #expect(pthread_equal(pthread_self(), thread) != 0)
      #expect(progress.doneCount >= done[progress.stage, default: 0])
      #expect(progress.doneCount <= progress.totalCount, "\(progress)")
      done[progress.stage] = progress.doneCount
      callCount += 1
    }
    // Each of the slices reads the whole log.
    #expect(report.isOK)
    #expect(done[.log] == settings.sliceCount.map { $0 * Int(report.head) })
    // How often it is called depends on which job does what.
    for count in stride(from: 1, to: callCount / 2, by: 3) {
      var calls = 0
      do {
        _ = try ledger.replay(settings) { (_) throws(LedgerError) in
          calls += 1
          if calls == count { throw LedgerError.cancelled }
        }
        #expect(calls < count)
      } catch LedgerError.cancelled {
        #expect(calls == count)
      }
    }
  }

  @Test("A ledger that is closed meanwhile ends all jobs", arguments: [1, 3])
  func closed(jobCount: Int) throws {
    let sample = try SliceSample(seed: 4)
    var settings = ReplaySettings()
    (settings.sliceCount, settings.jobCount, settings.chunkCount) = (6, jobCount, 40)
    // Other jobs may have done everything before this one is told of it: then there is no error.
    var isEnded = false
    for _ in 0..<100 where !isEnded {
      let ledger = try Ledger.open(at: sample.test.path)
      var isFirst = true
      do {
        let report = try ledger.replay(settings) { (_) throws(LedgerError) in
          if isFirst { ledger.close() }
          isFirst = false
        }
        #expect(report.isOK && jobCount > 1)
      } catch LedgerError.closed {
        isEnded = true
      }
    }
    #expect(isEnded)
  }
}
