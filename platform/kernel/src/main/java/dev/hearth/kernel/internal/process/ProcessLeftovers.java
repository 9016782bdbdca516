package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that a child process has forked and that outlive it. They are found by an environment variable, which they
 * inherit, and by the Unix session of the child; both outlast the child. As long as the child lives, they are also
 * found among its descendants. Not found is a process that left the session, dropped the variable and lost its parent.
 * Where there is no {@code /proc}, only descendants are found.
 * <p>A child of a child extends the mark of its parent, so that the end of the outer one covers both. Thread-safe.
 */
public final class ProcessLeftovers {
    /** Environment variable whose value, the mark, identifies a child process and all processes forked from it. */
    static final String VARIABLE = "HEARTH_CHILD";

    private static final Logger LOG = LoggerFactory.getLogger(ProcessLeftovers.class);
    private static final Path PROCESSES = Path.of("/proc");
    private static final String SEPARATOR = "/"; // between the marks of a child and of its own child
    /**
     * Maximum number of searches for leftover processes. One search is not enough, as a found process may fork before
     * it is ended.
     */
    private static final int SEARCHES_MAX = 3;
    /** Index of the session id among the fields of {@code /proc/PID/stat} that follow the name of the command. */
    private static final int SESSION_FIELD = 3;

    private static final Duration KILLED_WITHIN = Duration.ofSeconds(1);

    private final String mark;
    private volatile long session; // 0 if the child has no session of its own
    private volatile Set<ProcessHandle> descendants = Set.of();

    private ProcessLeftovers(String mark) {
        this.mark = mark;
    }

    /**
     * Returns the leftovers of a child that is about to start, with a new mark. {@code own} is the environment of the
     * parent, which may contain a mark itself.
     */
    static ProcessLeftovers ofNewChild(Map<String, String> own) {
        String outer = own.getOrDefault(VARIABLE, "");
        return new ProcessLeftovers((outer.isEmpty() ? "" : outer + SEPARATOR) + UUID.randomUUID());
    }

    /**
     * Returns the processes that descend from this process and outlive it; empty if this process is not a child of a
     * process of Hearth.
     */
    public static Optional<ProcessLeftovers> ofThisProcess(Map<String, String> own) {
        return Optional.ofNullable(own.get(VARIABLE))
                .filter(mark -> !mark.isEmpty())
                .map(ProcessLeftovers::new);
    }

    String mark() {
        return mark;
    }

    /**
     * Sets the Unix session by which leftovers are found. {@code id} is the id of the child's process, which is also
     * the id of its session.
     */
    void inSession(long id) {
        session = id;
    }

    /**
     * Adds the processes that {@code child} has forked until now, directly or indirectly, to those that count as
     * leftovers later.
     */
    public void remember(ProcessHandle child) {
        Set<ProcessHandle> found = new LinkedHashSet<>(descendants);
        child.descendants().forEach(found::add);
        descendants = found;
    }

    /**
     * Asks the processes to end, and kills those still alive after {@code grace}. Returns when they have ended, or when
     * they do not end although they were killed.
     */
    public void end(Duration grace) throws InterruptedException {
        Set<ProcessHandle> ended = new LinkedHashSet<>();
        for (int search = 0; search < SEARCHES_MAX; search++) {
            Set<ProcessHandle> found = find();
            found.removeAll(ended);
            if (found.isEmpty()) {
                return;
            }
            LOG.info("processes {}: ended, as the child process that forked them has ended", found);
            found.forEach(ProcessHandle::destroy);
            try {
                await(found, grace);
            } finally { // also if the wait is interrupted
                found.forEach(ProcessHandle::destroyForcibly);
            }
            await(found, KILLED_WITHIN);
            ended.addAll(found);
        }
    }

    private static void await(Set<ProcessHandle> processes, Duration bound) throws InterruptedException {
        CompletableFuture<?> ends = CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
        try {
            ends.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            LOG.debug("processes {}: alive after {}", processes, bound);
        }
    }

    private Set<ProcessHandle> find() {
        Set<ProcessHandle> found = new LinkedHashSet<>();
        long self = ProcessHandle.current().pid();
        descendants.stream().filter(ProcessHandle::isAlive).forEach(found::add);
        if (Files.isDirectory(PROCESSES.resolve("self"))) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
                for (Path entry : entries) {
                    long pid = Long.parseLong(String.valueOf(entry.getFileName()));
                    if (pid != self && isOurs(entry)) {
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).ifPresent(found::add);
                    }
                }
            } catch (IOException | DirectoryIteratorException | NumberFormatException unreadable) {
                LOG.debug("{}: not searched to its end", PROCESSES, unreadable);
            }
        }
        return found;
    }

    private boolean isOurs(Path entry) {
        try {
            return isMarked(read(entry.resolve("environ")), mark)
                    || (session > 0 && session(read(entry.resolve("stat"))) == session);
        } catch (IOException gone) { // it has ended meanwhile, or belongs to another user
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    /**
     * Whether the environment of a process, in the form of the operating system, contains {@code mark}, alone or as the
     * beginning of a longer mark.
     */
    static boolean isMarked(String environment, String mark) {
        String sought = "\0" + VARIABLE + "=" + mark;
        String all = "\0" + environment + "\0";
        int at = all.indexOf(sought);
        int end = at + sought.length();
        return at >= 0 && (all.startsWith("\0", end) || all.startsWith(SEPARATOR, end));
    }

    /**
     * Id of the Unix session in the text of {@code /proc/PID/stat}; the name of the command may hold blanks and
     * parentheses.
     */
    static long session(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > SESSION_FIELD ? Long.parseLong(fields[SESSION_FIELD]) : 0;
    }
}
