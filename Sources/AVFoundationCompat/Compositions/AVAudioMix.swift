/// How tracks of sound are mixed. None is made here: it stands where Apple's calls hand one over.
public final class AVAudioMix: Sendable {
  init() {}
}
