package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Merges the aggregation buffers of several runs (spill files sorted by hash code). Returns one pair per key, in the
 * order of hash codes. Owned by one thread.
 */
final class MergedAggregates implements SpilledPairs {
    private final AggregationServices services;
    private final HashRunMerge merge;
    private final AggregateFunction function;
    private final RecordFormat.Reader format;
    private final MergeReservation memory;
    private final boolean numbered;
    private final KeyHashTable keys; // the keys that have the current hash code
    private final List<@Nullable Object> buffers = new ArrayList<>();
    // the sequence number of each of these keys, if the runs are numbered
    private final List<Long> sequenceNumbers = new ArrayList<>();
    private boolean more;
    private int current;

    MergedAggregates(AggregationServices services, SpilledHashRuns runs, AggregateFunction function, boolean numbered) {
        this.services = services;
        this.function = function;
        this.numbered = numbered;
        this.keys = new KeyHashTable(services::checkKilled);
        this.format = services.format().reader();
        this.memory = new MergeReservation(services);
        this.merge = runs.merge();
        this.more = merge.next();
    }

    @Override
    public boolean hasNext() {
        return current < buffers.size() || gather();
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException(services.subject() + ": no more keys");
        }
        return new Pair<>(keys.key(current), buffers.get(current++));
    }

    /**
     * Releases the memory that the merge reserved for the current hash code, if the last pair of that hash code was
     * just returned. The caller has by then reserved memory for the pair itself.
     */
    void releaseWhenPassedOn() {
        if (current == buffers.size()) {
            memory.close();
        }
    }

    /**
     * Sequence number of the key in the pair that was returned last: the key's place in the order in which keys were
     * first seen.
     */
    Long sequenceNumber() {
        return sequenceNumbers.get(current - 1);
    }

    private boolean gather() {
        services.checkKilled();
        keys.clearForObjects();
        buffers.clear();
        sequenceNumbers.clear();
        memory.clear();
        current = 0;
        if (!more) {
            return false;
        }
        int hash = merge.entry().hash();
        do {
            services.checkKilled(); // very many entries may have one hash code, and a kill must not wait for them
            add(merge.entry());
            more = merge.next();
        } while (more && merge.entry().hash() == hash);
        return true;
    }

    private void add(HashRunCursor entry) {
        RecordInput in = entry.input();
        memory.add(entry.end() - in.position());
        long sequenceNumber;
        Object key;
        Object value;
        try {
            sequenceNumber = numbered ? in.readLong() : 0;
            in.readSize(); // skips the side, which is always 0
            key = format.read(in);
            in.readInt(); // skips the number of values, which is always 1
            value = format.read(in);
        } catch (CorruptRecordException failure) {
            throw entry.entry().corruption(failure);
        }
        if (keys.isFull()) {
            keys.grow();
        }
        int slot = keys.slotOfObject(key, entry.hash());
        if (slot == buffers.size()) {
            buffers.add(value);
            if (numbered) {
                sequenceNumbers.add(sequenceNumber);
            }
        } else {
            buffers.set(slot, function.join(buffers.get(slot), value));
        }
    }

    @Override
    public void close() {
        more = false;
        merge.close();
        memory.close();
    }
}
