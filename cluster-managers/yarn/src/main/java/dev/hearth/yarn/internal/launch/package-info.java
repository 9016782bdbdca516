/**
 * Launches of processes in containers: the command for the shell of a NodeManager, the environment, the files, and what
 * only the credentials of the container hold.
 *
 * <p>NodeManagers copy the launch script, with the command and the environment, into the log directory of the container.
 * Secrets therefore travel as secret keys of the credentials, whose file has the mode 0600. The other launch orders are in
 * one variable of the environment ({@code HEARTH_ORDER_TEXT}), in base64, because the script puts values in double quotes.
 * The bundle yarn-container reads both.
 */
@NullMarked
package dev.hearth.yarn.internal.launch;

import org.jspecify.annotations.NullMarked;
