internal import CLMDB

extension Environment {
  /// Whether a commit flushes the meta page that makes it the newest one.
  ///
  /// `false` is what `noMetaSync` asks for at the opening: a power cut may then take the last commit.
  /// May be set while the environment is open and by one thread only, the one that writes, outside
  /// transactions; it holds for later commits.
  package var flushesMetaPages: Bool {
    get {
      var flags: UInt32 = 0
      unsafe mdb_env_get_flags(raw, &flags)
      return flags & EnvironmentFlags.noMetaSync.rawValue == 0
    }
    set {
      guard newValue != flushesMetaPages else { return }
      // It cannot fail: LMDB lets this flag be changed.
      unsafe mdb_env_set_flags(raw, EnvironmentFlags.noMetaSync.rawValue, newValue ? 0 : 1)
    }
  }
}
