package example.vault;

/** Room that the bundle provides itself. */
public final class Cellar implements Room {
    @Override
    public String name() {
        return "cellar";
    }
}
