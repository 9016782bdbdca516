package dev.hearth.rpc.internal.security;

/**
 * Terms that both sides agree on before the proof, which covers them. {@code scope} is also the id of the key. If the
 * sides disagree on the terms, the proof fails.
 */
public record ProofTerms(String lane, String scope, int version, ChannelBinding tunnel) {}
