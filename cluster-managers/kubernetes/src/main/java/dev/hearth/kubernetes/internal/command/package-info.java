/** Commands of the shell for clusters of Kubernetes. */
@NullMarked
package dev.hearth.kubernetes.internal.command;

import org.jspecify.annotations.NullMarked;
