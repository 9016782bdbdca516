/** Who is at the other end, and who can read along: certificates, TLS, and the mutual proof of a secret. */
@NullMarked
package dev.hearth.rpc.internal.security;

import org.jspecify.annotations.NullMarked;
