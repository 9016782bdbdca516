/** Processes in network namespaces of their own. */
@NullMarked
package dev.hearth.itests.net;

import org.jspecify.annotations.NullMarked;
