package dev.hearth.standalone.internal.contents;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Record of the uploaded files that a daemon holds, of their users, and of what may go. A state machine: time is an argument, in
 * nanoseconds of a ticker, and no method touches a disk. Guarded by its own lock, because event loops and disk threads call.
 * <p>Invariants: the files held and those that arrive never exceed the bound together; a file that has users, that
 * arrives, or that was used within the retention time never goes.
 */
public final class ContentLedger {
    private static final int NAMED_MAX = 3; // files that a failure names
    private static final long MEBIBYTE = 1 << 20;

    private final String setting;
    private final long bytesMax;
    private final Duration retention;
    private final Map<ContentId, Entry> held = new LinkedHashMap<>(); // least recently used first
    private final Map<ContentId, Arrival> arriving = new LinkedHashMap<>();
    private final Map<ContentId, Set<String>> missed = new LinkedHashMap<>(); // users of files that are not here

    /**
     * Creates a ledger of at most {@code bytesMax} bytes, as the setting {@code setting} says. A file stays for {@code
     * retention} after it was last used.
     */
    public ContentLedger(String setting, long bytesMax, Duration retention) {
        this.setting = setting;
        this.bytesMax = bytesMax;
        this.retention = retention;
    }

    /** Ledger that holds nothing. */
    public static ContentLedger none() {
        return new ContentLedger("", 0, Duration.ZERO);
    }

    private static final class Entry {
        private final long bytes;
        private final Set<String> users = new LinkedHashSet<>();
        private long usedNanos; // when it was last asked for, used or released

        Entry(long bytes, long now) {
            this.bytes = bytes;
            this.usedNanos = now;
        }
    }

    /** File on its way here, from one sender or several. */
    private record Arrival(long bytes, int senders) {}

    /** The setting that bounds the files. */
    public long bytesMax() {
        return bytesMax;
    }

    /** Total size of the files held. */
    public synchronized long bytesHeld() {
        return held.values().stream().mapToLong(entry -> entry.bytes).sum();
    }

    /** Records that a file is here. */
    public synchronized void arrived(ContentId content, long bytes, long now) {
        if (!held.containsKey(content)) {
            Entry entry = new Entry(bytes, now);
            Set<String> users = missed.remove(content);
            if (users != null) {
                entry.users.addAll(users);
            }
            held.put(content, entry);
        }
    }

    /** Forgets a file that is no longer here. */
    public synchronized void lost(ContentId content) {
        held.remove(content);
    }

    /** Whether a file is here. If so, its retention time begins again, because it is wanted. */
    public synchronized boolean ask(ContentId content, long now) {
        Entry entry = held.get(content);
        if (entry != null) {
            use(content, entry, now);
        }
        return entry != null;
    }

    /** Fails with {@code SUBMISSION_REFUSED} unless all files are here. */
    public synchronized void require(Collection<ContentAddress> contents) {
        for (ContentAddress content : contents) {
            Entry entry = held.get(content.content());
            if (entry == null || entry.bytes != content.bytes()) {
                throw ErrorCode.SUBMISSION_REFUSED.failure("'" + content + "': "
                        + (entry == null ? "not held here" : "held with " + entry.bytes + " bytes")
                        + " (expected: a file that was uploaded before); submit again, which uploads it");
            }
        }
    }

    /** Records that {@code user} uses the files, those that are here and those that will be, until {@link #release}. */
    public synchronized void use(String user, Collection<ContentAddress> contents, long now) {
        for (ContentAddress content : contents) {
            Entry entry = held.get(content.content());
            if (entry != null) {
                entry.users.add(user);
                use(content.content(), entry, now);
            } else {
                missed.computeIfAbsent(content.content(), first -> new LinkedHashSet<>())
                        .add(user);
            }
        }
    }

    /** Records that {@code user} uses no files any more. */
    public synchronized void release(String user, long now) {
        missed.values().removeIf(users -> users.remove(user) && users.isEmpty());
        Map.copyOf(held).forEach((content, entry) -> {
            if (entry.users.remove(user)) {
                use(content, entry, now);
            }
        });
    }

    /** Records that no driver uses files any more, as another master answers for them now. */
    public synchronized void releaseAll(long now) {
        missed.clear();
        held.values().forEach(entry -> {
            if (!entry.users.isEmpty()) {
                entry.users.clear();
                entry.usedNanos = now;
            }
        });
    }

    /**
     * Checks that files of {@code bytes} together could be taken, without regard to files that may go. Fails with {@code
     * STORE_FULL}.
     */
    public synchronized void requireRoom(String subject, long bytes, long now) {
        long staying = stayingBytes(now);
        if (bytes > bytesMax - staying) {
            throw full(subject, bytes, staying, now);
        }
    }

    /**
     * Records that a file of {@code bytes} bytes begins to arrive, until {@link #ended}. Returns the files that must go
     * to make room, least recently used first; the ledger has forgotten them. Fails with {@code STORE_FULL}.
     */
    public synchronized List<ContentId> begin(ContentId content, long bytes, long now) {
        Arrival known = arriving.get(content);
        if (known == null) {
            requireRoom("content " + content, bytes, now);
        }
        arriving.put(content, known == null ? new Arrival(bytes, 1) : new Arrival(known.bytes, known.senders + 1));
        return excess(now);
    }

    /** Records that a file has arrived, or that its sender has given up. */
    public synchronized void ended(ContentId content) {
        Arrival known = arriving.remove(content);
        if (known != null && known.senders > 1) {
            arriving.put(content, new Arrival(known.bytes, known.senders - 1));
        }
    }

    /** Returns the files that must go, because their retention time has passed; the ledger has forgotten them. */
    public synchronized List<ContentId> expire(long now) {
        List<ContentId> gone = held.entrySet().stream()
                .filter(entry -> mayGo(entry.getKey(), entry.getValue(), now))
                .map(Map.Entry::getKey)
                .toList();
        held.keySet().removeAll(gone);
        return gone;
    }

    /** Returns the files that must go, least recently used first, until the rest is within the bound. */
    public synchronized List<ContentId> excess(long now) {
        long bytes = bytesHeld() + arrivingBytes();
        List<ContentId> gone = new ArrayList<>();
        for (Map.Entry<ContentId, Entry> entry : held.entrySet()) {
            if (bytes > bytesMax && mayGo(entry.getKey(), entry.getValue(), now)) {
                gone.add(entry.getKey());
                bytes -= entry.getValue().bytes;
            }
        }
        held.keySet().removeAll(gone);
        return gone;
    }

    private void use(ContentId content, Entry entry, long now) {
        entry.usedNanos = now;
        held.remove(content);
        held.put(content, entry); // as the most recently used one
    }

    private boolean mayGo(ContentId content, Entry entry, long now) {
        return entry.users.isEmpty() && !arriving.containsKey(content) && now - entry.usedNanos >= retention.toNanos();
    }

    private long arrivingBytes() {
        return arriving.entrySet().stream()
                .filter(arrival -> !held.containsKey(arrival.getKey()))
                .mapToLong(arrival -> arrival.getValue().bytes())
                .sum();
    }

    private long stayingBytes(long now) {
        return arrivingBytes()
                + held.entrySet().stream()
                        .filter(entry -> !mayGo(entry.getKey(), entry.getValue(), now))
                        .mapToLong(entry -> entry.getValue().bytes)
                        .sum();
    }

    private RuntimeException full(String subject, long bytes, long staying, long now) {
        String what = subject + ": " + size(bytes) + ", and " + size(staying) + " are in use";
        String rule = " (expected: at most " + setting + " = " + size(bytesMax) + " together)";
        if (staying == 0) {
            return ErrorCode.STORE_FULL.failure(what + rule + "; raise " + setting
                    + ", or copy the file to a directory that all machines share and name the directory in"
                    + " hearth.submit.sharedDirs");
        }
        String largest = held.entrySet().stream()
                .filter(entry -> !mayGo(entry.getKey(), entry.getValue(), now))
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().bytes))
                .limit(NAMED_MAX)
                .map(entry -> size(entry.getValue().bytes) + " "
                        + (entry.getValue().users.isEmpty()
                                ? "used less than " + retention.toSeconds() + " s ago"
                                : "of " + String.join(", ", entry.getValue().users)))
                .collect(Collectors.joining("; "));
        return ErrorCode.STORE_FULL.failure(
                what + rule + "; the largest: " + largest + "; submit again when they have ended, or raise " + setting);
    }

    private static String size(long bytes) {
        return bytes < MEBIBYTE ? bytes + " bytes" : (bytes + MEBIBYTE - 1) / MEBIBYTE + " MiB";
    }
}
