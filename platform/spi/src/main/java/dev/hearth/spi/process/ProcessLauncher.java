package dev.hearth.spi.process;

import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts child processes, each of which runs a Hearth kernel in one role, such as {@code executor}. A child ends when
 * its parent ends, and processes that the child has forked end with the child.
 */
@ProviderType
public interface ProcessLauncher {
    /**
     * Starts the child process that {@code spec} describes; fails with {@code START_FAILED} if it cannot be started.
     */
    ChildProcess start(ChildSpec spec);

    /**
     * Command of a process in the role {@code role}, to be started elsewhere, for example in a container. The first word
     * is {@code java}, which the caller may replace by a path. {@code home} is the installation there; it may be relative
     * to the working directory of the process. {@code jvmOptions} follow those of the role; they name the source of the
     * launch orders ({@code -Dhearth.orders=FILE}) and, if it is not {@code /tmp}, the temporary directory ({@code
     * -Djava.io.tmpdir}). A shell must not expand the words. Such a process has no parent: it ends by signal, with its
     * application, or with its driver.
     */
    default List<String> command(String role, List<String> jvmOptions, String home) {
        throw ErrorCode.START_FAILED.failure("role " + role
                + ": this launcher starts no processes elsewhere (expected: the launcher of the kernel)");
    }

    /**
     * As {@link #command(String, List, String)}, with the archive of classes in the file {@code classes}, which may be
     * relative to the working directory of the process ({@link dev.hearth.spi.kernel.Installation#classes}). Java ignores an
     * archive that another build of Java has written, or that was made for other jars. If not overridden, no archive is used.
     */
    default List<String> command(String role, List<String> jvmOptions, String home, String classes) {
        return command(role, jvmOptions, home);
    }

    /**
     * Removes ended work directories below {@code parent}. A work directory belongs to a child or a group of children.
     * It has ended if none of them runs, under this parent process or another one. In addition, none of its files may
     * have changed since {@code before}. Other directories stay. Returns at once; completes with the names of the
     * removed directories. The default implementation removes none.
     */
    default CompletionStage<List<String>> removeEnded(Path parent, Instant before) {
        return CompletableFuture.completedStage(List.of());
    }

    /**
     * Removes ended work directories below {@code parent}, as {@link #removeEnded(Path, Instant)}, except for those that
     * {@code retained} describes. The default implementation knows no bound on bytes.
     */
    default CompletionStage<List<String>> removeEnded(Path parent, RetainedWork retained) {
        return removeEnded(parent, retained.since());
    }

    /**
     * Reads part of an output of a child, running or ended, from its files in {@code directory}. Returns at once;
     * completes with an empty result if there are no such files. The default implementation has none.
     */
    default CompletionStage<Optional<OutputChunk>> readOutput(Path directory, OutputRange range) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /**
     * Prestarts processes from now on: after a child has started, one more process with the same role, command and
     * environment is started and waits, without launch orders. The next such child is that process. At most one process
     * of each role waits. The default implementation prestarts none.
     */
    default void prestart(Prestart rule) {}

    /**
     * Checks that this launcher can start children that run as the user {@code user} of the operating system and can
     * enter {@code directory}; fails with {@code BAD_SETTING} otherwise.
     */
    default void requireUser(String user, Path directory) {
        throw ErrorCode.BAD_SETTING.failure(
                "user " + user + ": this launcher has no other users (expected: children of its own user)");
    }
}
