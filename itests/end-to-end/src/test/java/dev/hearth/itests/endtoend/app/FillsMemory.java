package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes {@code args[0]} MiB of memory outside of the heap, and uses all of it; with a second argument, in a task. With a
 * third, it reports to the gate at this port while it has the memory, and waits until it may pass.
 */
public final class FillsMemory {
    private static final int CHUNK_BYTES = 1024 * 1024;

    private FillsMemory() {}

    public static void main(String[] args) throws IOException {
        int mebibytes = Integer.parseInt(args[0]);
        if (args.length == 1) {
            System.out.println(take(mebibytes, 0) + " MiB taken");
            return;
        }
        try (HearthContext context =
                HearthContext.builder().name("fills memory").open()) {
            int port = args.length == 2 ? 0 : Integer.parseInt(args[2]);
            int taken = context.parallelize(List.of(mebibytes), 1)
                    .map(sought -> take(sought, port))
                    .reduce(Integer::sum);
            System.out.println(taken + " MiB taken");
        }
    }

    private static int take(int mebibytes, int port) throws IOException {
        List<ByteBuffer> taken = new ArrayList<>();
        for (int i = 0; i < mebibytes; i++) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (int at = 0; at < CHUNK_BYTES; at += 4096) {
                chunk.put(at, (byte) 1);
            }
            taken.add(chunk);
        }
        if (port > 0) {
            GatedSum.pass(port, "task", mebibytes);
        }
        return taken.size();
    }
}
