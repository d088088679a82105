import MediaCore

/// What the writing thread has to tell of its work.
struct WriterAccount {
  /// The time it took for a frame or a run of audio.
  var writeTime = Distribution.Tally()
  /// Processor time of the thread, in nanoseconds.
  var processorTime: Int64 = 0
  /// How the system schedules it.
  var threads: [ThreadScheduling] = []
}
