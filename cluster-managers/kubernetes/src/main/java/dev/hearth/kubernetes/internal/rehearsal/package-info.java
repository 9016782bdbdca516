/**
 * The classes of this bundle before they are needed: the real code submits an application and creates executors, at a server
 * of this process that answers as an API server does.
 */
@NullMarked
package dev.hearth.kubernetes.internal.rehearsal;

import org.jspecify.annotations.NullMarked;
