package dev.hearth.rpc.internal.security;

/**
 * What both sides of a connection agreed on before they prove anything, and what the proof covers. {@code scope} is also
 * the id of the key. Two sides that understood different things cannot convince each other.
 */
public record ProofTerms(String lane, String scope, int version, ChannelBinding tunnel) {}
