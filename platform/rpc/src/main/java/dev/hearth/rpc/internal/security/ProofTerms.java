package dev.hearth.rpc.internal.security;

/**
 * Values that both sides agree on before the mutual proof. The proof covers them, so that it fails if an attacker
 * changes them. {@code scope} (the application) also selects the secret.
 */
public record ProofTerms(String lane, String scope, int version, ChannelBinding tunnel) {}
