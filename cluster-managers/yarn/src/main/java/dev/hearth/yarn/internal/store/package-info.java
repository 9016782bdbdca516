/**
 * The store of contents: code and files of applications on a Hadoop file system, named by their hashes, so that what was
 * uploaded once is not uploaded again.
 *
 * <p>Terms. A <i>content</i> is a file whose name begins with the SHA-256 hash of its bytes. It is written into the
 * directory {@code in} and appears by a rename, so that no reader ever sees a part of it; afterwards it is never touched,
 * because YARN compares the time of its last change and its size. A <i>lease</i> is a file with the name of an application
 * and the contents that it uses; it is written before the application is submitted. The <i>sweep</i> removes leases of
 * applications that have ended, and contents without a lease for a long time. One process sweeps at a time, at most
 * once a day: it holds the <i>lock</i>, a file that it creates and that counts for an hour.
 *
 * <pre>
 *   STORE/ab/SHA256-NAME     a content; SHA256.2-NAME if a file of another size has the name
 *   STORE/in/RANDOM          a content on its way
 *   STORE/leases/APPLICATION
 *   STORE/lock, STORE/swept
 * </pre>
 *
 * <p>A worked failure. Two submitters upload the same jar. Both find no content, both write into {@code in}, and the
 * second rename finds the name taken. It then removes its own file and uses the other's, whose bytes are the same.
 * A submitter that dies in between leaves a file in {@code in}, which the next sweep removes.
 *
 * <p>All classes here wait for the file system. They run on threads for blocking calls; none of them keeps state.
 */
@NullMarked
package dev.hearth.yarn.internal.store;

import org.jspecify.annotations.NullMarked;
