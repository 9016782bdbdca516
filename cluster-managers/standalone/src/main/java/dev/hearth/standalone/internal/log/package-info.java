/**
 * Facts of a master in files of one directory, the recovery mode FILESYSTEM.
 *
 * <h2>Files</h2>
 * <ul>
 * <li>{@code facts-N}, a <em>segment</em>: frames in the order of their writing. A <em>frame</em> has all facts that one
 * fsync made durable, with its length and two checksums (CRC32C). An empty frame is the end of a segment that has a
 * successor.
 * <li>{@code snapshot-N}: frames with facts that replace all segments before number N. Written beside, forced to disk,
 * then renamed.
 * <li>{@code epoch}: the number of the last leader.
 * <li>{@code lock}: locked by the process that leads, with a text that describes it. Locks do not hold between hosts on
 * every shared file system, so the masters of one directory must run on one host.
 * </ul>
 *
 * <h2>Threads</h2>
 * One thread waits for the lock, replays and writes. What arrives during an fsync is written with the next one. The loop
 * of the master only appends to a bounded queue.
 *
 * <h2>Failures</h2>
 * <ul>
 * <li>A crash may leave an incomplete frame at the end of the last segment. It was never acknowledged, and is cut.
 * <li>Damage before it, or a file that is missing, fails the start and names the file.
 * <li>If a write fails, because the disk is full, the frame is cut and written again each second. The master refuses new
 * work meanwhile.
 * <li>If an fsync fails, the system may have dropped the pages, so that a second fsync of the same file proves nothing.
 * The segment is given up, and the log goes on with a snapshot and a new segment.
 * </ul>
 *
 * <h2>A worked failure</h2>
 * The disk fills up while the master takes submission S. The frame with S is written in part, and cut. S gets no answer;
 * submissions after it are refused with the reason. When there is room, the frame is written and forced, and S is
 * answered. If the master crashes instead, S is unknown after the restart, and its submitter, which has no answer, repeats
 * it with the same request id.
 */
@NullMarked
package dev.hearth.standalone.internal.log;

import org.jspecify.annotations.NullMarked;
