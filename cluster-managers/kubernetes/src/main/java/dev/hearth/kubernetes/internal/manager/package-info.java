/**
 * The cluster manager for {@code k8s://} master URLs: settings, checks, and the opening of backends.
 */
@NullMarked
package dev.hearth.kubernetes.internal.manager;

import org.jspecify.annotations.NullMarked;
