package dev.hearth.engine.internal.dag;

/** Identity of one map output. */
public record MapOutputId(int shuffle, int map) {
    @Override
    public String toString() {
        return "shuffle " + shuffle + ", map task " + map;
    }
}
