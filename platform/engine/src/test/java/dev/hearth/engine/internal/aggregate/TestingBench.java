package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.record.ApplicationRecords;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.serial.UserObjects;
import java.util.Random;

/** A workbench whose memory is short by chance. */
final class TestingBench implements Workbench {
    final TestingMemory memory;
    final TestingFiles files = new TestingFiles();
    boolean inOrder = true;
    int kills = Integer.MAX_VALUE; // how often it is asked before it says that the task was killed
    private final ApplicationRecords format =
            new ApplicationRecords(new UserObjects(TestingBench.class.getClassLoader()));
    private final ObjectSizes sizes = new ObjectSizes();
    private final SegmentFiles used;

    TestingBench(Random random, int refusePerMille, int spillPerMille) {
        this.memory = new TestingMemory(random, refusePerMille, spillPerMille);
        this.used = files;
    }

    /** With files in the place of {@link #files}. */
    TestingBench(Random random, int refusePerMille, int spillPerMille, SegmentFiles used) {
        this.memory = new TestingMemory(random, refusePerMille, spillPerMille);
        this.used = used;
    }

    @Override
    public TaskMemory memory() {
        return memory;
    }

    @Override
    public SegmentFiles files() {
        return used;
    }

    @Override
    public RecordFormat format() {
        return format;
    }

    @Override
    public ObjectSizes sizes() {
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
