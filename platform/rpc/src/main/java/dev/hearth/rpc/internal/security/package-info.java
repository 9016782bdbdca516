/**
 * Authentication and encryption of connections: certificates, TLS 1.3, and the mutual proof of a shared secret. Not
 * exported.
 */
@NullMarked
package dev.hearth.rpc.internal.security;

import org.jspecify.annotations.NullMarked;
