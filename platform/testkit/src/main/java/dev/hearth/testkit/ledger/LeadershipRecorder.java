package dev.hearth.testkit.ledger;

import dev.hearth.api.HearthException;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Records the calls that a candidate gets. One thread calls it, and another reads. */
public final class LeadershipRecorder implements LeadershipListener {
    private static final long CALL_SECONDS_MAX = 60;

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final Optional<Consumer<Bytes>> reader;
    private volatile List<String> replayed = List.of(); // of the present or last time of leading
    private volatile long epoch;
    private volatile FactLog log = new NoLog();

    public LeadershipRecorder() {
        this.reader = Optional.empty();
    }

    /** Creates a recorder that passes replayed facts to {@code reader}, and keeps none. */
    public LeadershipRecorder(Consumer<Bytes> reader) {
        this.reader = Optional.of(reader);
    }

    /** Returns the next call, which may take a while. */
    public String next() throws InterruptedException {
        String call = calls.poll(CALL_SECONDS_MAX, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("no call within " + CALL_SECONDS_MAX + " s (expected: one)");
        }
        return call;
    }

    /** Waits until the process leads. */
    public LeadershipRecorder leads() throws InterruptedException {
        return reaches("leading");
    }

    /** Waits for a call that begins with {@code prefix}. */
    public LeadershipRecorder reaches(String prefix) throws InterruptedException {
        for (String call = next(); !call.startsWith(prefix); call = next()) {
            if (call.startsWith("failed")) {
                throw new AssertionError(call + " (expected: " + prefix + ")");
            }
        }
        return this;
    }

    /** The facts of the leaders before. */
    public List<String> replayed() {
        return replayed;
    }

    public long epoch() {
        return epoch;
    }

    public FactLog log() {
        return log;
    }

    /** Facts with these texts. */
    public static List<Bytes> facts(String... texts) {
        return List.of(texts).stream()
                .map(text -> Bytes.owning(text.getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    @Override
    public void following(String leader) {
        calls.add("following " + leader);
    }

    @Override
    public void recovering() {
        replayed = List.of();
        calls.add("recovering");
    }

    @Override
    public void replay(Bytes fact) {
        if (reader.isPresent()) {
            reader.get().accept(fact);
            return;
        }
        List<String> more = new ArrayList<>(replayed);
        more.add(new String(fact.toArray(), StandardCharsets.UTF_8));
        replayed = List.copyOf(more);
    }

    @Override
    public void leading(long present, FactLog opened) {
        epoch = present;
        log = opened;
        calls.add("leading " + present);
    }

    @Override
    public void lost(String why) {
        calls.add("lost " + why);
    }

    @Override
    public void failed(HearthException why) {
        calls.add("failed " + why.getMessage());
    }

    /** Log before there is one. */
    private static final class NoLog implements FactLog {
        @Override
        public CompletionStage<Void> append(List<Bytes> facts) {
            throw new AssertionError("this process has never led");
        }

        @Override
        public Optional<String> hindrance() {
            return Optional.of("this process has never led");
        }

        @Override
        public boolean wantsSnapshot() {
            return false;
        }

        @Override
        public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
            throw new AssertionError("this process has never led");
        }
    }
}
