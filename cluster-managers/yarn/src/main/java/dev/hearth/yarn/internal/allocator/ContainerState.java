package dev.hearth.yarn.internal.allocator;

/** State of a container that an {@link Allocator} holds. */
enum ContainerState {
    /** Its NodeManager was asked to start the executor. */
    STARTING,
    /** The executor runs. */
    UP,
    /** The driver has released the executor, which ends by itself. */
    LEAVING,
    /** It was given back to the ResourceManager. */
    RELEASED,
    /** Its end was reported. */
    ENDED;

    boolean leadsTo(ContainerState next) {
        return switch (this) {
            case STARTING -> next != STARTING;
            case UP -> next == LEAVING || next == RELEASED || next == ENDED;
            case LEAVING -> next == RELEASED || next == ENDED;
            case RELEASED, ENDED -> false;
        };
    }

    /** Whether the container counts towards what is wanted. */
    boolean isHeld() {
        return switch (this) {
            case STARTING, UP -> true;
            case LEAVING, RELEASED, ENDED -> false;
        };
    }
}
