package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the groups of several runs (spill files sorted by hash code). Returns one group per key, in the order of hash
 * codes. Owned by one thread.
 */
final class MergedGroups implements SpilledGroups {
    private final AggregationServices services;
    private final HashRunMerge merge;
    private final RecordFormat.Reader format;
    private final MergeReservation memory;
    private final int sides;
    private final KeyHashTable keys; // the keys that have the current hash code
    private final List<@Nullable ColumnBuilder> values = new ArrayList<>(); // one builder per key and side
    private boolean more;
    private int current;

    MergedGroups(AggregationServices services, SpilledHashRuns runs, int sides) {
        this.services = services;
        this.keys = new KeyHashTable(services::checkKilled);
        this.format = services.format().reader();
        this.memory = new MergeReservation(services);
        this.sides = sides;
        this.merge = runs.merge();
        this.more = merge.next();
    }

    @Override
    public boolean hasNext() {
        return current < keys.size() || more;
    }

    @Override
    public void next(GroupCursor cursor) {
        if (current == keys.size()) {
            gather();
        }
        cursor.moveTo(keys.key(current));
        for (int side = 0; side < sides; side++) {
            ColumnBuilder builder = values.set(current * sides + side, null);
            Column column = builder == null ? GroupCursor.NOTHING : builder.build();
            cursor.side(side, column, 0, column.size());
        }
        current++;
    }

    private void gather() {
        keys.clearForObjects();
        values.clear();
        memory.clear();
        current = 0;
        int hash = merge.entry().hash();
        do {
            services.checkKilled(); // very many entries may have one hash code, and a kill must not wait for them
            HashRunCursor entry = merge.entry();
            try {
                add(entry);
            } catch (CorruptRecordException failure) {
                throw entry.entry().corruption(failure);
            }
            more = merge.next();
        } while (more && merge.entry().hash() == hash);
    }

    private void add(HashRunCursor entry) {
        RecordInput in = entry.input();
        memory.add(entry.end() - in.position());
        int side = in.readSize();
        Object key = format.read(in);
        int count = in.readInt();
        ColumnBuilder builder = builder(key, entry.hash(), side);
        for (int i = 0; i < count; i++) {
            builder.add(format.read(in));
        }
    }

    /**
     * Returns the builder that collects the values that {@code key} has on side {@code side}; creates it for the first
     * value.
     */
    private ColumnBuilder builder(@Nullable Object key, int hash, int side) {
        if (keys.isFull()) {
            keys.grow();
        }
        int index = keys.slotOfObject(key, hash) * sides + side;
        while (values.size() <= index || values.size() % sides != 0) {
            values.add(null);
        }
        ColumnBuilder builder = values.get(index);
        if (builder == null) {
            builder = new ColumnBuilder();
            values.set(index, builder);
        }
        return builder;
    }

    @Override
    public void close() {
        more = false;
        keys.clear();
        values.clear();
        current = 0;
        merge.close();
        memory.close();
    }
}
