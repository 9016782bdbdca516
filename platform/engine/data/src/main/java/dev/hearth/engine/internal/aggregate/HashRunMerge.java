package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import java.util.List;

/**
 * Merges k runs (spill files sorted by hash code) by a binary min-heap of their cursors. Returns all entries in the
 * order of hash codes, and those of equal hash code in the order in which the runs were written. A run is deleted after
 * its last entry. Owned by one thread; closing it deletes the remaining runs.
 */
final class HashRunMerge implements AutoCloseable {
    private final HashRunCursor[] heap;
    private int size;
    private boolean started;

    HashRunMerge(List<PartitionedFile> runs) {
        this.heap = new HashRunCursor[runs.size()];
        try {
            for (int number = 0; number < heap.length; number++) {
                HashRunCursor cursor = new HashRunCursor(runs.get(number), number);
                heap[size++] = cursor;
                if (!cursor.next()) {
                    size--;
                    cursor.delete();
                }
            }
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
        for (int at = size / 2 - 1; at >= 0; at--) {
            siftDown(at);
        }
    }

    /** Advances to the next entry of the merge. Returns false after the last entry. */
    boolean next() {
        if (size == 0) {
            return false;
        }
        if (!started) {
            started = true;
            return true;
        }
        if (!heap[0].next()) {
            heap[0].delete();
            heap[0] = heap[--size];
            if (size == 0) {
                return false;
            }
        }
        siftDown(0);
        return true;
    }

    /**
     * Returns the cursor at the current entry of the merge, which has the least hash code of all entries not yet
     * returned.
     */
    HashRunCursor entry() {
        return heap[0];
    }

    private void siftDown(int from) {
        HashRunCursor moving = heap[from];
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1].comesBefore(heap[child])) {
                child++;
            }
            if (moving.comesBefore(heap[child])) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moving;
    }

    @Override
    public void close() {
        for (int at = 0; at < size; at++) {
            heap[at].delete();
        }
        size = 0;
    }
}
