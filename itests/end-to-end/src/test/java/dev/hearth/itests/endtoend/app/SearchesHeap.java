package dev.hearth.itests.endtoend.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Searches the heap of the executor for the texts in {@code args}, which are written backwards so that their search does
 * not put them there. Prints the number of texts that were found.
 */
public final class SearchesHeap {
    private SearchesHeap() {}

    public static void main(String[] args) {
        try (HearthContext context = HearthContext.builder().name("heap").open()) {
            int found = context.parallelize(List.of(args), 1)
                    .map(SearchesHeap::found)
                    .reduce(Integer::sum);
            System.out.println(found + " found");
        }
    }

    private static int found(String backwards) throws IOException {
        Path directory = Files.createTempDirectory("heap");
        Path dump = directory.resolve("dump.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(dump.toString(), true);
            String heap = Files.readString(dump, StandardCharsets.ISO_8859_1);
            return heap.contains(new StringBuilder(backwards).reverse()) ? 1 : 0;
        } finally {
            Files.deleteIfExists(dump);
            Files.delete(directory);
        }
    }
}
