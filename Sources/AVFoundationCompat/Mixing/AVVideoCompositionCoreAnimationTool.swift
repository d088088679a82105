/// Stands where Core Animation's layers over frames do. There is no value of it: nothing here draws layers, and a
/// program that makes one of them does not compile.
public enum AVVideoCompositionCoreAnimationTool: Sendable {}
