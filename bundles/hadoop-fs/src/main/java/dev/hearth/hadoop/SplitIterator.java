package dev.hearth.hadoop;

import dev.hearth.api.Pair;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The records of one split, read while the task consumes them. Closed at the end, or with the task. */
final class SplitIterator<K, V> implements Iterator<Pair<K, V>> {
    private static final Logger LOG = LoggerFactory.getLogger(SplitIterator.class);

    private final ReadRules rules;
    private final Configuration configuration;
    private final Object split;
    private final TaskContext task;
    private final FileBytes bytes = new FileBytes();
    private Optional<Records<K, V>> records;
    private boolean ready;
    private boolean ended;
    private long read;

    SplitIterator(
            FormatInput<K, V> source, ReadRules rules, Object split, Configuration configuration, TaskContext task) {
        this.rules = rules;
        this.configuration = configuration;
        this.split = split;
        this.task = task;
        this.records = open(source);
        bytes.pause();
        task.onCompletion(end -> close());
    }

    private Optional<Records<K, V>> open(FormatInput<K, V> source) {
        try {
            return Optional.of(source.open(split, configuration, AttemptIds.of("read", task)));
        } catch (IOException | InterruptedException | RuntimeException failure) {
            skipOrThrow(failure);
            return Optional.empty();
        }
    }

    @Override
    public boolean hasNext() {
        if (!ready && !ended) {
            bytes.enter();
            try {
                ready = records.isPresent() && records.get().next();
            } catch (IOException | InterruptedException | RuntimeException failure) {
                skipOrThrow(failure);
            }
            if (!ready) {
                close();
            }
        }
        return ready;
    }

    @Override
    public Pair<K, V> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ready = false;
        read++;
        try {
            Records<K, V> current = records.orElseThrow();
            return rules.reuse()
                    ? Pair.of(current.key(), current.value())
                    : Pair.of(copy(current.key()), copy(current.value()));
        } catch (IOException failure) {
            throw new UncheckedIOException(split + ": " + failure.getMessage(), failure);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    @SuppressWarnings("unchecked") // a clone has the class of the original
    private <T> T copy(T object) {
        return object instanceof Writable writable ? (T) WritableUtils.clone(writable, configuration) : object;
    }

    private void skipOrThrow(Exception failure) {
        if (failure instanceof InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
        if (!rules.ignores(failure)) {
            if (failure instanceof IOException io) {
                throw new UncheckedIOException(split + ": " + failure.getMessage(), io);
            }
            throw (RuntimeException) failure;
        }
        LOG.warn(
                "{}: skipped after {} records, as the settings for missing and corrupt files say",
                split,
                read,
                failure);
    }

    private static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("the task was interrupted", cause);
    }

    /** Closes the reader once, and counts what it has read. */
    private void close() {
        if (ended) {
            return;
        }
        ended = true;
        Optional<Records<K, V>> open = records;
        records = Optional.empty();
        try {
            if (open.isPresent()) {
                open.get().close();
            }
        } catch (IOException failure) {
            LOG.warn("{}: not closed", split, failure);
        } finally {
            task.countInput(bytes.read(), Math.max(0, read - 1)); // the engine has counted the split as a record
        }
    }
}
