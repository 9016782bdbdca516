/** Pods and secrets of an application as JSON, by pure functions of settings. */
@NullMarked
package dev.hearth.kubernetes.internal.pod;

import org.jspecify.annotations.NullMarked;
