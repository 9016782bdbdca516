/** Processes in containers of YARN: their launch orders, local directories and links to their logs, without Hadoop. */
@NullMarked
package dev.hearth.yarncontainer.internal;

import org.jspecify.annotations.NullMarked;
