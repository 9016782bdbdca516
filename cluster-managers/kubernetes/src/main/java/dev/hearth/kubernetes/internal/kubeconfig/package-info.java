/**
 * Kubeconfig files, and the plug-ins that they name for credentials. Files are read as trees of YAML, without the client
 * library, which would run plug-ins at times and on threads of its own.
 */
@NullMarked
package dev.hearth.kubernetes.internal.kubeconfig;

import org.jspecify.annotations.NullMarked;
