package example.vault;

/** Room of the vault. Applications find rooms by {@code ServiceLoader}. */
public interface Room {
    String name();
}
