package dev.hearth.spi.monitor;

import java.util.OptionalLong;

/** An application as it introduced itself. {@code attempt} is empty where its cluster starts it once. */
public record ApplicationView(
        String id,
        String name,
        String user,
        String master,
        String attempt,
        long startedMillis,
        OptionalLong endedMillis) {}
