package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;

/** A bundle that executors of one application run in this version and no other: its names, and its jar by the hash of its bytes. */
public record FrozenBundle(String name, String version, ContentId content, long bytes) {
    @Override
    public String toString() {
        return name + " " + version;
    }
}
