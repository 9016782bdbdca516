/**
 * The API server as Hearth uses it: requests, answers, and facts about objects. No class here knows the client library.
 *
 * <p>Terms. An <i>answer</i> says whether a request had its effect; {@code Unknown} says that this is unknown, and the same
 * request is sent again. A <i>version</i> is the resource version of Kubernetes, an opaque text. <i>Facts</i> are what
 * Hearth reads of an object; unknown fields are skipped.
 */
@NullMarked
package dev.hearth.kubernetes.internal.api;

import org.jspecify.annotations.NullMarked;
