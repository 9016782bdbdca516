package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings together what several runs have of a key, in the order of hash codes. Owned by one thread. */
final class MergedGroups implements SpilledGroups {
    private final AggregationServices bench;
    private final HashRunMerge merge;
    private final RecordFormat.Reader format;
    private final MergeReservation memory;
    private final int sides;
    private final KeyHashTable keys; // of one hash code
    private final List<@Nullable ColumnBuilder> values = new ArrayList<>(); // by key and side
    private boolean more;
    private int at;

    MergedGroups(AggregationServices bench, SpilledHashRuns runs, int sides) {
        this.bench = bench;
        this.keys = new KeyHashTable(bench::checkKilled);
        this.format = bench.format().reader();
        this.memory = new MergeReservation(bench);
        this.sides = sides;
        this.merge = runs.merge();
        this.more = merge.next();
    }

    @Override
    public boolean hasNext() {
        return at < keys.size() || more;
    }

    @Override
    public void next(GroupCursor cursor) {
        if (at == keys.size()) {
            gather();
        }
        cursor.on(keys.key(at));
        for (int side = 0; side < sides; side++) {
            ColumnBuilder builder = values.set(at * sides + side, null);
            Column column = builder == null ? GroupCursor.NOTHING : builder.build();
            cursor.side(side, column, 0, column.size());
        }
        at++;
    }

    private void gather() {
        keys.beginObjects();
        values.clear();
        memory.clear();
        at = 0;
        int hash = merge.entry().hash();
        do {
            bench.checkKilled(); // there may be very many of one hash code
            HashRunCursor entry = merge.entry();
            try {
                add(entry);
            } catch (CorruptRecordException failure) {
                throw entry.entry().damaged(failure);
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

    /** What has the values of a key on one side. */
    private ColumnBuilder builder(@Nullable Object key, int hash, int side) {
        if (keys.isFull()) {
            keys.grow();
        }
        int place = keys.slotOfObject(key, hash) * sides + side;
        while (values.size() <= place || values.size() % sides != 0) {
            values.add(null);
        }
        ColumnBuilder builder = values.get(place);
        if (builder == null) {
            builder = new ColumnBuilder();
            values.set(place, builder);
        }
        return builder;
    }

    @Override
    public void close() {
        more = false;
        keys.clear();
        values.clear();
        at = 0;
        merge.close();
        memory.close();
    }
}
