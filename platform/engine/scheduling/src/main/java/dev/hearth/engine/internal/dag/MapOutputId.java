package dev.hearth.engine.internal.dag;

/** Identifier of one map output: its shuffle and its map task. */
public record MapOutputId(int shuffle, int map) {
    @Override
    public String toString() {
        return "shuffle " + shuffle + ", map task " + map;
    }
}
