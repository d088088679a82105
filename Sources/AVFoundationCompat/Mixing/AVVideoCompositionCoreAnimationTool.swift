/// Stands for Core Animation layers over frames. It has no values, so a program that creates one does not compile.
public enum AVVideoCompositionCoreAnimationTool: Sendable {}
