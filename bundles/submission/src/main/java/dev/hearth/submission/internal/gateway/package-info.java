/** Submissions for other processes: many requests, one connection for each cluster. */
@NullMarked
package dev.hearth.submission.internal.gateway;

import org.jspecify.annotations.NullMarked;
