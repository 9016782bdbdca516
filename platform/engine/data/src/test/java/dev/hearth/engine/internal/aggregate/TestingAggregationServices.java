package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.Random;

/** Services whose memory is refused and spilled at random. */
final class TestingAggregationServices implements AggregationServices {
    final TestingMemory memory;
    final TestingFiles files = new TestingFiles();
    boolean inOrder = true;
    int kills = Integer.MAX_VALUE; // checks for a kill until the task counts as killed
    private final ApplicationRecordFormat format =
            new ApplicationRecordFormat(new UserObjectSerializer(TestingAggregationServices.class.getClassLoader()));
    private final ObjectSizeEstimator sizes = new ObjectSizeEstimator();
    private final TemporaryFiles used;

    TestingAggregationServices(Random random, int refusePerMille, int spillPerMille) {
        this.memory = new TestingMemory(random, refusePerMille, spillPerMille);
        this.used = files;
    }

    /** With other files in place of {@link #files}. */
    TestingAggregationServices(Random random, int refusePerMille, int spillPerMille, TemporaryFiles used) {
        this.memory = new TestingMemory(random, refusePerMille, spillPerMille);
        this.used = used;
    }

    @Override
    public TaskMemory memory() {
        return memory;
    }

    @Override
    public TemporaryFiles files() {
        return used;
    }

    @Override
    public RecordFormat format() {
        return format;
    }

    @Override
    public ObjectSizeEstimator sizes() {
        return sizes;
    }

    @Override
    public boolean inOrder() {
        return inOrder;
    }

    @Override
    public void checkKilled() {
        if (--kills <= 0) {
            throw new IllegalStateException("killed");
        }
    }

    @Override
    public String subject() {
        return "a test";
    }
}
