import CProResKernels

/// The processors that this process may use.
enum Processors {
  static var count: Int { Int(prores_processor_count()) }
}
