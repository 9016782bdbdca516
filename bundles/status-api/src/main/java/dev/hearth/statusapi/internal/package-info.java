/** REST API for monitoring, compatible with Spark's {@code /api/v1}. */
@NullMarked
package dev.hearth.statusapi.internal;

import org.jspecify.annotations.NullMarked;
