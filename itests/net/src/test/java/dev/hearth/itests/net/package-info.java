/** Tests of processes in separate network namespaces. */
@NullMarked
package dev.hearth.itests.net;

import org.jspecify.annotations.NullMarked;
