package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Joins what several runs have of a key, in the order of hash codes. Owned by one thread. */
final class MergedAggregates implements SpilledPairs {
    private final AggregationServices bench;
    private final HashRunMerge merge;
    private final AggregateFunction merging;
    private final RecordFormat.Reader format;
    private final MergeReservation memory;
    private final boolean numbered;
    private final KeyHashTable keys; // of one hash code
    private final List<@Nullable Object> states = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>(); // of these keys, where there are numbers
    private boolean more;
    private int at;

    MergedAggregates(AggregationServices bench, SpilledHashRuns runs, AggregateFunction merging, boolean numbered) {
        this.bench = bench;
        this.merging = merging;
        this.numbered = numbered;
        this.keys = new KeyHashTable(bench::checkKilled);
        this.format = bench.format().reader();
        this.memory = new MergeReservation(bench);
        this.merge = runs.merge();
        this.more = merge.next();
    }

    @Override
    public boolean hasNext() {
        return at < states.size() || gather();
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException(bench.subject() + ": no more keys");
        }
        return new Pair<>(keys.key(at), states.get(at++));
    }

    /** What was given out is somebody else's, who has memory for it. */
    void handedOver() {
        if (at == states.size()) {
            memory.close();
        }
    }

    /** When the key that was given out last was first seen. */
    Long number() {
        return numbers.get(at - 1);
    }

    private boolean gather() {
        bench.checkKilled();
        keys.beginObjects();
        states.clear();
        numbers.clear();
        memory.clear();
        at = 0;
        if (!more) {
            return false;
        }
        int hash = merge.entry().hash();
        do {
            bench.checkKilled(); // there may be very many of one hash code
            add(merge.entry());
            more = merge.next();
        } while (more && merge.entry().hash() == hash);
        return true;
    }

    private void add(HashRunCursor entry) {
        RecordInput in = entry.input();
        memory.add(entry.end() - in.position());
        long number;
        Object key;
        Object value;
        try {
            number = numbered ? in.readLong() : 0;
            in.readSize(); // the side, which is the only one
            key = format.read(in);
            in.readInt(); // the number of values, which is 1
            value = format.read(in);
        } catch (CorruptRecordException failure) {
            throw entry.entry().damaged(failure);
        }
        if (keys.isFull()) {
            keys.grow();
        }
        int slot = keys.slotOfObject(key, entry.hash());
        if (slot == states.size()) {
            states.add(value);
            if (numbered) {
                numbers.add(number);
            }
        } else {
            states.set(slot, merging.join(states.get(slot), value));
        }
    }

    @Override
    public void close() {
        more = false;
        merge.close();
        memory.close();
    }
}
