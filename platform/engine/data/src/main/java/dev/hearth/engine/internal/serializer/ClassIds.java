package dev.hearth.engine.internal.serializer;

import java.util.Optional;

/**
 * The numbers by which one application's records name classes: the same in all its processes, for what one has written others
 * read, sort and merge as bytes. Any thread may call; a call may wait for another process.
 */
public interface ClassIds {
    /** The number of an entry, which is a class's name and the fingerprint of its form. */
    int number(String entry);

    /** What a number stands for; empty when it was never given out. */
    Optional<String> entry(int number);
}
