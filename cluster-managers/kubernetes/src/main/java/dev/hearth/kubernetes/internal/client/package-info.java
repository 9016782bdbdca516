/**
 * The API server by the client library of fabric8, which only this package knows. Requests are raw: one effect is one
 * request on the wire, lists and watches are ours, and nothing is repeated here.
 */
@NullMarked
package dev.hearth.kubernetes.internal.client;

import org.jspecify.annotations.NullMarked;
